/** The element id of a field's input. */
export const fieldId = (name: string): string => `field-${name.replace(/[^a-z0-9]+/gi, '-')}`
