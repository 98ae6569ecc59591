/** The subject of an entry with the user's name in place of the id; the entry itself keeps the id. */
export function aboutText(subject: string, nameOf: (userId: string) => string): string {
  const [, id] = /^user ([0-9a-f-]{36})$/.exec(subject) ?? []
  return id === undefined ? subject : `user ${nameOf(id)}`
}
