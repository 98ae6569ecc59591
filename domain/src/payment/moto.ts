/** Mail order and telephone order: `moto_type` of a request. Chapter 10 §7.1.7, chapter 30 §3.2. */
const motoValues = ['phone_moto', 'email_moto', 'default_moto'] as const

/** `ecommerce` means the same as sending no `moto_type`. */
export const motoTypes = [...motoValues, 'ecommerce'] as const

export const isMoto = (motoType: string | null | undefined): boolean => motoValues.some((value) => value === motoType)
