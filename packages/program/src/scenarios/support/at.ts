/** The element of a list that is sure to have one there: what stands for a device, by its number. */
export function at<T>(list: readonly T[], index: number): T {
  if (!(index in list)) throw new RangeError(`element ${index} of ${list.length}`);
  return list[index] as T;
}
