/** What an entry is about, with the name of a person in place of an identifier; the entry itself keeps the identifier. */
export function aboutText(subject: string, nameOf: (userId: string) => string): string {
  const [, id] = /^user ([0-9a-f-]{36})$/.exec(subject) ?? []
  return id === undefined ? subject : `user ${nameOf(id)}`
}
