/**
 * States and provinces of the five countries where the interface asks for one: ISO 3166-2, the part after the country, and the name
 * in English. For other countries no state is requested, checked or stored. Chapter 30 §3.4.
 */

interface Subdivision {
  readonly code: string
  readonly name: string
}

/** Null for a country whose payers are not asked for a state. */
export function subdivisionsOf(country: string): readonly Subdivision[] | null {
  return byCountry.get(country) ?? null
}

/** A code or a full name, in any case. */
export function isSubdivision(country: string, text: string): boolean {
  const sent = text.toLowerCase()
  return (
    subdivisionsOf(country)?.some(({ code, name }) => code.toLowerCase() === sent || plain(name) === plain(sent)) ??
    false
  )
}

/** With or without accents. */
const plain = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

// biome-ignore format: a table is read in columns.
const rows: readonly (readonly [country: string, subdivisions: string])[] = [
  ['AU', `ACT Australian Capital Territory|NSW New South Wales|NT Northern Territory|QLD Queensland|SA South Australia|TAS Tasmania|
          VIC Victoria|WA Western Australia`],
  ['CA', `AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NS Nova Scotia|
          NT Northwest Territories|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon`],
  ['IN', `AN Andaman and Nicobar Islands|AP Andhra Pradesh|AR Arunachal Pradesh|AS Assam|BR Bihar|CG Chhattisgarh|CH Chandigarh|
          DH Dadra and Nagar Haveli and Daman and Diu|DL Delhi|GA Goa|GJ Gujarat|HP Himachal Pradesh|HR Haryana|JH Jharkhand|
          JK Jammu and Kashmir|KA Karnataka|KL Kerala|LA Ladakh|LD Lakshadweep|MH Maharashtra|ML Meghalaya|MN Manipur|
          MP Madhya Pradesh|MZ Mizoram|NL Nagaland|OD Odisha|PB Punjab|PY Puducherry|RJ Rajasthan|SK Sikkim|TN Tamil Nadu|
          TR Tripura|TS Telangana|UK Uttarakhand|UP Uttar Pradesh|WB West Bengal`],
  ['JP', `01 Hokkaido|02 Aomori|03 Iwate|04 Miyagi|05 Akita|06 Yamagata|07 Fukushima|08 Ibaraki|09 Tochigi|10 Gunma|11 Saitama|
          12 Chiba|13 Tokyo|14 Kanagawa|15 Niigata|16 Toyama|17 Ishikawa|18 Fukui|19 Yamanashi|20 Nagano|21 Gifu|22 Shizuoka|
          23 Aichi|24 Mie|25 Shiga|26 Kyoto|27 Osaka|28 Hyogo|29 Nara|30 Wakayama|31 Tottori|32 Shimane|33 Okayama|34 Hiroshima|
          35 Yamaguchi|36 Tokushima|37 Kagawa|38 Ehime|39 Kochi|40 Fukuoka|41 Saga|42 Nagasaki|43 Kumamoto|44 Oita|45 Miyazaki|
          46 Kagoshima|47 Okinawa`],
  ['US', `AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|
          FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|
          MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|
          NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|
          PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|
          WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming|AS American Samoa|GU Guam|MP Northern Mariana Islands|
          PR Puerto Rico|UM United States Minor Outlying Islands|VI U.S. Virgin Islands|AA Armed Forces Americas|
          AE Armed Forces Europe|AP Armed Forces Pacific`],
]

const byCountry: ReadonlyMap<string, readonly Subdivision[]> = new Map(
  rows.map(([country, subdivisions]) => [country, subdivisions.split('|').map(subdivisionIn)]),
)

function subdivisionIn(text: string): Subdivision {
  const [code = '', ...name] = text.trim().split(' ')
  return { code, name: name.join(' ') }
}
