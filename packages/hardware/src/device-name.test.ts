import { expect, it } from 'vitest';
import { namesDevice } from './device-name.ts';

it.each([
  ['NVIDIA H200, CUDA 13000', 'h200', true],
  ['NVIDIA H200 NVL, CUDA 13000', 'h200', true],
  ['NVIDIA GeForce RTX 4090, CUDA 12080', 'rtx4090', true],
  ['NVIDIA A100-SXM4-80GB, CUDA 12080', 'a100', true],
  ['NVIDIA H200, CUDA 13000', 'h20', false],
  ['NVIDIA H200, CUDA 13000', 'rtx4090', false],
  ['unknown device, CUDA unknown', 'h200', false],
])('%s names %s: %s', (measuredBy, device, is) => expect(namesDevice(measuredBy, device)).toBe(is));
