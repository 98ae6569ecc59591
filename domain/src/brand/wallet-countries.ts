/**
 * The countries in which the wallet providers serve payers, as known at the time of this release. The providers change their lists;
 * an operator edits them in the brand. Chapter 20 §5.4.
 */
import type { Wallet } from '../mid.ts'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

// biome-ignore format: a table is read in columns.
export const walletCountries: Readonly<Record<Wallet, readonly string[]>> = {
  walletapay: words(`
    AE AL AM AR AT AU AZ BA BE BG BH BN BR BY CA CH CL CN CO CR CY CZ DE DK DO EC EE EG ES FI FO FR
    GB GE GG GL GR GT HK HN HR HU IE IL IM IS IT JE JO JP KR KW KZ LI LT LU LV MA MC MD ME MK MN MO MT MX MY
    NL NO NZ PA PE PL PS PT PY QA RO RS SA SE SG SI SK SM SV TN TW UA US UY VA VN ZA`),
  walletbpay: words(`
    AE AL AM AR AT AU AZ BA BE BG BH BR CA CH CL CO CR CY CZ DE DK DO DZ EC EE EG ES FI FR GB GE GR GT HK HN HR
    HU ID IE IL IN IS IT JO JP KE KG KW KZ LB LI LT LU LV MA MD ME MK MN MT MX MY NI NL NO NZ OM
    PA PE PH PK PL PT PY QA RO RS SA SE SG SI SK SV TH TN TR TW UA US UY UZ VN ZA`),
}
