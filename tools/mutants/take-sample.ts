/** Every n-th from an offset chosen by the seed: spread over the file, and the same for the same seed. */
export function takeSample<T>(all: readonly T[], size: number, seed: number): readonly T[] {
  if (size === 0 || size >= all.length) return all
  const step = all.length / size
  return all.filter((_, index) => {
    const place = (index + seed) % all.length
    return Math.floor(place / step) !== Math.floor((place - 1) / step)
  })
}
