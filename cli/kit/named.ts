/** Finding what a command names, and saying what there is when there is no such thing. */
import type { Brand } from '#server/store/brands.ts'
import { brandStore } from '#server/store/brands.ts'
import { type MerchantRow, merchantStore } from '#server/store/merchants.ts'
import { type MidRow, midStore } from '#server/store/mids.ts'
import type { Pool } from '#server/store/pool.ts'
import { CommandError } from './command-error.ts'
import { nearest } from './nearest.ts'

/** By its short name or either of its keys. */
export async function merchantNamed(pool: Pool, name: string): Promise<MerchantRow> {
  const merchants = await merchantStore(pool).list()
  const found = merchants.find((merchant) => [merchant.name, merchant.key, merchant.testKey].includes(name))
  return (
    found ??
    unknown(
      'merchant',
      name,
      merchants.map((merchant) => merchant.name),
    )
  )
}

export async function midNamed(pool: Pool, name: string): Promise<MidRow> {
  const mids = await midStore(pool).list()
  return (
    mids.find((mid) => mid.name === name) ??
    unknown(
      'MID',
      name,
      mids.map((mid) => mid.name),
    )
  )
}

export async function brandNamed(pool: Pool, code: string): Promise<Brand> {
  const brands = await brandStore(pool).list()
  return (
    brands.find((brand) => brand.code === code) ??
    unknown(
      'brand',
      code,
      brands.map((brand) => brand.code),
    )
  )
}

function unknown(noun: string, name: string, known: readonly string[]): never {
  const near = nearest(name, known)
  const remedy =
    near === null ? `"gatehouse ${noun.toLowerCase()} list" shows what there is.` : `Did you mean "${near}"?`
  throw new CommandError(`There is no ${noun} "${name}".`, remedy)
}
