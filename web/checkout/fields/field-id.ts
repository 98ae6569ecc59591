/** The identifier of a field's input in the document. */
export const fieldId = (name: string): string => `field-${name.replace(/[^a-z0-9]+/gi, '-')}`
