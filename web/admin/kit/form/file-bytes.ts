/** The bytes of a chosen file in the encoding of the API. */
export const readBase64 = async (file: Blob): Promise<string> => (await readDataUrl(file)).split(',')[1] ?? ''

/** The API takes 32 MB of text for an imported file, and the encoding makes four characters of three bytes. */
const largestImport = 24_000_000

/** What is wrong with a file that is to be imported, before it is sent; `instead` says what to do with one that is too large. */
export function importFault(file: File | null, instead: string, most = largestImport): string | null {
  if (file === null || file.size === 0) return 'Select a file.'
  return file.size > most ? `The file is larger than ${shownSize(most)}. ${instead}` : null
}

const megabyte = 1_000_000
const gigabyte = 1_000_000_000

function shownSize(bytes: number): string {
  const [unit, size] = bytes >= gigabyte ? ['gigabyte', gigabyte] : ['megabyte', megabyte]
  return new Intl.NumberFormat(undefined, { style: 'unit', unit: String(unit) }).format(bytes / Number(size))
}

/** For an image that is shown before it is saved. */
export const readDataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(file)
  })
