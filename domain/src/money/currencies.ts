/**
 * The currencies and how many decimals each has.
 *
 * Chapter 10 §2.1 lists the currencies without decimals and those with three or four; every other active code of ISO 4217
 * has two. Codes to which ISO gives no minor unit (metals, drawing rights, testing: XAU, XDR, XTS, XXX …) are absent,
 * because no amount of them can be written.
 */

export type Exponents = ReadonlyMap<string, number>

/** ISO 4217, alphabetic code to number of decimals. */
export const isoExponents: Exponents = exponents([
  [0, `BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF`],

  // biome-ignore format: a table is read in columns.
  [2, `AED AFN ALL AMD AOA ARS AUD AWG AZN
       BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
       CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK
       DKK DOP DZD EGP ERN ETB EUR FJD FKP
       GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD
       KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL
       MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN
       NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB
       SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
       THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST
       XAD XCD XCG YER ZAR ZMW ZWG`],

  // Recently withdrawn. Still listed, because refunds and chargebacks of older payments use them.
  [2, `ANG BGN CUC`],

  [3, `BHD IQD JOD KWD LYD OMR TND`],

  [4, `CLF UYW`],
])

/** The crypto currencies of a new instance (Chapter 20 §2). The operator may edit the list, so callers pass their own. */
export const cryptoExponents: Exponents = exponents([
  [6, `USDT USDC`],
  [8, `BTC`],
  [18, `ETH`],
])

function exponents(rows: readonly (readonly [exponent: number, codes: string])[]): Exponents {
  return new Map(rows.flatMap(([exponent, codes]) => codes.split(/\s+/).map((code) => [code, exponent] as const)))
}
