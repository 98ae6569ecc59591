/** A file with mutants for the test of the mutation run: what its checks look at, and what they do not. */
export function mayEnter(age: number): boolean {
  return age >= 18
}

export function greeting(name: string): string {
  if (name === 'unchecked') return 'nobody looks at this'
  return `Hello ${name}`
}
