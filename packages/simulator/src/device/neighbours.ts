import type { PeerPath } from '../fabric/topology-plan.ts';

/** Another device as this one knows it. */
export interface Neighbour {
  readonly actor: number;
  /** Completion here to being seen there, ps. */
  signal(): number;
  /** Way of the bytes from here to there. @throws Error if there is none. */
  path(): PeerPath;
}

/** The devices of a machine as one of them reaches those of its process; made when first asked for, since few are ever. */
export class Neighbours {
  /** Actors of the devices of its process. */
  readonly actors: readonly number[];
  private readonly make: (device: number) => Neighbour;
  private readonly known = new Map<number, Neighbour>();

  constructor(actors: readonly number[], make: (device: number) => Neighbour) {
    this.actors = actors;
    this.make = make;
  }

  /** Of this device itself only the actor is used. */
  of(device: number): Neighbour {
    let neighbour = this.known.get(device);
    if (neighbour === undefined) {
      neighbour = this.make(device);
      this.known.set(device, neighbour);
    }
    return neighbour;
  }
}
