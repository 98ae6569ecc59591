interface NamesOf {
  readonly user: (id: string) => string
  readonly merchant: (id: string) => string
}

/** The subject of an entry with the name of a user or a merchant in place of the id; the entry itself keeps the id. */
export function aboutText(subject: string, namesOf: NamesOf): string {
  const [, noun, id] = /^(user|merchant) ([0-9a-f-]{36})$/.exec(subject) ?? []
  if (id === undefined) return subject
  return noun === 'user' ? `user ${namesOf.user(id)}` : `merchant ${namesOf.merchant(id)}`
}
