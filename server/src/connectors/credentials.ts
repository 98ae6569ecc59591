/** Every connector's credentials say where its acquirer is reached; the rest is the acquirer's own. */
export type Credentials = Readonly<Record<string, unknown>> & { readonly base_url: string }
