/** A file with mutants for the test of the mutation run: one function is covered by its checks, the other is not. */
export function mayEnter(age: number): boolean {
  return age >= 18
}

export function greeting(name: string): string {
  if (name === 'unchecked') return 'nobody looks at this'
  return `Hello ${name}`
}
