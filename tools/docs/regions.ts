/**
 * The generated parts of a document. A region is between `<!-- generated:NAME -->` and `<!-- /generated:NAME -->`; everything around it is
 * written by hand and never changed.
 */
export type Regions = Readonly<Record<string, () => string>>

const region = /<!-- generated:(?<name>[a-z0-9-]+) -->\n(?<content>[\s\S]*?)<!-- \/generated:\k<name> -->/g

/** The document with every region rewritten. */
export function fillRegions(document: string, regions: Regions): string {
  return document.replace(region, (whole: string, name: string) => {
    const write = Object.hasOwn(regions, name) ? regions[name] : undefined
    if (!write) throw new Error(`No program writes the region "${name}".`)
    return `${whole.slice(0, whole.indexOf('\n') + 1)}\n${write()}\n\n<!-- /generated:${name} -->`
  })
}

export function regionsIn(document: string): readonly string[] {
  return [...document.matchAll(region)].map(({ groups }) => groups?.['name'] ?? '')
}
