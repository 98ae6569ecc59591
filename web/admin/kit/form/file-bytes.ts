/** The bytes of a chosen file in the encoding of the API. */
export const base64Of = async (file: Blob): Promise<string> => (await dataUrlOf(file)).split(',')[1] ?? ''

/** For an image that is shown before it is saved. */
export const dataUrlOf = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(file)
  })
