/** The texts of a request that are stored with its payment, each from the parameter with the wire's form of its name. */
import { type RequestTexts, requestTexts, textsOf } from '#domain/payment/facts.ts'

/** `moto_type` for `motoType`. */
const wireNames = textsOf(requestTexts, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

/** Null for texts that were not sent or that the action does not take. */
export function requestTextsIn(input: object): RequestTexts {
  return textsOf(requestTexts, (name) => {
    const text: unknown = Reflect.get(input, wireNames[name])
    return typeof text === 'string' ? text : null
  })
}
