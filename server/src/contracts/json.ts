/** Free-form data as it is stored: what a merchant, an acquirer or an MPI service sent. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { readonly [name: string]: Json }
