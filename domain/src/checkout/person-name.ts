/** The name of a payer or recipient as the hosted page and its server accept it. Chapter 30 §7.3. */

/** The limit of person names, repeated here because the table of all limits would be a tenth of the page's script; a test compares the two. */
export const longestName = 32

/**
 * Words of letters of any script, with the hyphens, apostrophes and dots of names. One word is enough: many people have a single name, and
 * Chinese and Japanese names are written without a space.
 */
export const isPersonName = (name: string): boolean =>
  // Counted in code points: a letter outside the basic plane is one letter.
  Array.from(name).length <= longestName && words.test(name)

const words = /^(?=.*\p{L})[\p{L}\p{M}'’.·-]+(?: +[\p{L}\p{M}'’.·-]+)*$/u
