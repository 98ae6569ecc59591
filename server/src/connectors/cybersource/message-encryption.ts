/** Opens a notification that CyberSource encrypted: JSON Web Encryption in its compact form, RSA-OAEP-256 with AES-256-GCM. */
import { constants, createDecipheriv, privateDecrypt } from 'node:crypto'
import { z } from 'zod'

/** Only what CyberSource documents: the sender must not choose a weaker cipher. */
const headerSchema = z.object({ alg: z.literal('RSA-OAEP-256'), enc: z.literal('A256GCM') })

/** Null if it is no such message, or not for this key. */
export function decryptMessage(message: string, privateKey: string): string | null {
  const [header = '', key = '', iv = '', ciphertext = '', tag = '', ...rest] = message.split('.')
  if (rest.length > 0 || tag === '') return null
  try {
    headerSchema.parse(JSON.parse(bytesIn(header).toString('utf8')))
    const contentKey = privateDecrypt(
      { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      bytesIn(key),
    )
    const decipher = createDecipheriv('aes-256-gcm', contentKey, bytesIn(iv), { authTagLength: 16 })
    decipher.setAAD(Buffer.from(header, 'ascii'))
    decipher.setAuthTag(bytesIn(tag))
    return Buffer.concat([decipher.update(bytesIn(ciphertext)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

const bytesIn = (text: string): Buffer => Buffer.from(text, 'base64url')
