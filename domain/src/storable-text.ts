/** What the database can keep as text: JSON escapes can also write a zero character and half of a surrogate pair, and it takes neither. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')
