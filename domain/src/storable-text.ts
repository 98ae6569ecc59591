/** True if the database can store the text. It refuses NUL characters and lone surrogates, which JSON escapes can contain. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
