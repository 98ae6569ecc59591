/** A number of things, in the viewer's locale. */
export const countText = (count: number): string => new Intl.NumberFormat().format(count)
