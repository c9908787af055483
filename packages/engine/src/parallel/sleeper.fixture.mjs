// Shard 0 of some shared state, asleep in a thread of its own until something wakes it, for ten seconds at the most.
import { parentPort, workerData } from 'node:worker_threads';
import { SharedState } from '../../dist/parallel/shared-state.js';

const state = new SharedState(workerData.memory);
state.sleep(0, workerData.heldBy, 10_000, () => {
  parentPort?.postMessage('asleep');
  return true;
});
parentPort?.postMessage('awake');
