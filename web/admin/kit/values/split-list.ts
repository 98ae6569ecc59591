/** What was typed with commas, semicolons or spaces between. */
export const splitList = (typed: string): string[] => typed.split(/[\s,;]+/).filter((part) => part !== '')
