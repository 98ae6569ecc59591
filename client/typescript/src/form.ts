/** Forms with bracket names: `custom_data[lines][0]=one`. */
export interface Tree {
  readonly [name: string]: string | Tree
}

/** A value of a request; undefined counts as not sent. */
export type Sent = string | number | boolean | undefined | readonly Sent[] | { readonly [name: string]: Sent }

export function encodeForm(parameters: Readonly<Record<string, Sent>>): string {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) append(form, name, value)
  return form.toString()
}

function append(form: URLSearchParams, name: string, value: Sent): void {
  if (value === undefined) return
  if (typeof value !== 'object') {
    form.append(name, String(value))
    return
  }
  for (const [member, inner] of Object.entries(value)) append(form, `${name}[${member}]`, inner)
}

interface GrowingTree {
  [name: string]: string | GrowingTree
}

export function decodeForm(body: string): Tree {
  const tree: GrowingTree = Object.create(null)
  for (const [path, value] of new URLSearchParams(body)) {
    const [, first = '', rest = ''] = /^([^[]*)((?:\[[^\]]*\])*)$/.exec(path) ?? [path, path]
    const names = [first, ...Array.from(rest.matchAll(/\[([^\]]*)\]/g), ([, name = '']) => name)]
    const last = names.pop() ?? ''
    let inner = tree
    for (const name of names) {
      const found = inner[name]
      const next: GrowingTree = typeof found === 'object' ? found : Object.create(null)
      inner[name] = next
      inner = next
    }
    inner[last] = value
  }
  return tree
}
