/** What an example shows for a value of the reader that is not known: the reader replaces it. */
export const placeholders: Readonly<Record<string, string>> = new Proxy<Record<string, string>>(
  { base_url: 'https://pay.example.com', key: 'YOUR_KEY', password: 'YOUR_PASSWORD' },
  { get: (known, name) => known[String(name)] ?? String(name).toUpperCase() },
)
