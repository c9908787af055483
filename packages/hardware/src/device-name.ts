/**
 * True if what measured some cases (`NVIDIA GeForce RTX 4090, CUDA 13000`) is a device of the catalogue's name (`rtx4090`).
 */
export function namesDevice(measuredBy: string, device: string): boolean {
  const parts = device.match(/[a-z]+|\d+/gi) ?? [];
  if (parts.length === 0) return false;
  return new RegExp(`(?<![a-z0-9])${parts.join('[^a-z0-9]*')}(?![a-z0-9])`, 'i').test(measuredBy);
}
