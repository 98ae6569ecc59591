/** A choice that this browser remembers. One that forbids storage forgets it with the tab, and nothing else happens. */
export interface Kept<T> {
  read(): T
  write(value: T): void
}

export function kept<T extends string>(name: string, allowed: readonly T[], usual: T): Kept<T> {
  const key = `gatehouse-${name}`
  return {
    read: () => {
      try {
        const found = localStorage.getItem(key)
        return allowed.find((one) => one === found) ?? usual
      } catch {
        return usual
      }
    },
    write: (value) => {
      try {
        localStorage.setItem(key, value)
      } catch {
        // The tab goes by what was chosen either way.
      }
    },
  }
}
