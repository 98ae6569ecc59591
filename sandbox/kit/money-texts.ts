/**
 * Texts of the page for payments that the payer completes later, such as crypto and vouchers. Amount and notices come from the common
 * texts.
 */
import type { Language } from './payer-texts.ts'

export interface MoneyTexts {
  readonly address: string
  readonly network: string
  readonly reference: string
  readonly paid: string
  readonly expired: string
}

const row = (address: string, network: string, reference: string, paid: string, expired: string): MoneyTexts => ({
  address,
  network,
  reference,
  paid,
  expired,
})

// biome-ignore format: a table is read in columns.
export const moneyTexts: Readonly<Record<Language, MoneyTexts>> = {
  //                address         network      reference                  paid                      expired
  en:        row('Address',        'Network',   'Voucher number',          'The money was sent',     'Let it expire'),
  es:        row('Dirección',      'Red',       'Número de cupón',         'El dinero fue enviado',  'Dejar que caduque'),
  ar:        row('العنوان',        'الشبكة',    'رقم القسيمة',             'تم إرسال المبلغ',        'اتركه تنتهي صلاحيته'),
  az:        row('Ünvan',          'Şəbəkə',    'Talon nömrəsi',           'Pul göndərildi',         'Müddəti bitsin'),
  fr:        row('Adresse',        'Réseau',    'Numéro du bon',           'L’argent a été envoyé',  'Laisser expirer'),
  nb:        row('Adresse',        'Nettverk',  'Kupongnummer',            'Pengene er sendt',       'La den utløpe'),
  'zh-Hans': row('地址',           '网络',      '凭单号码',                '款项已支付',             '任其过期'),
  'zh-Hant': row('地址',           '網路',      '憑單號碼',                '款項已支付',             '任其過期'),
  kk:        row('Мекенжай',       'Желі',      'Талон нөмірі',            'Ақша жіберілді',         'Мерзімі өтсін'),
  de:        row('Adresse',        'Netzwerk',  'Gutscheinnummer',         'Das Geld ist gesendet',  'Verfallen lassen'),
  it:        row('Indirizzo',      'Rete',      'Numero del voucher',      'Il denaro è inviato',    'Lascia scadere'),
  hr:        row('Adresa',         'Mreža',     'Broj bona',               'Novac je poslan',        'Pusti da istekne'),
  cs:        row('Adresa',         'Síť',       'Číslo poukázky',          'Peníze byly odeslány',   'Nechat vypršet'),
  hu:        row('Cím',            'Hálózat',   'Utalvány száma',          'A pénz elküldve',        'Hagyja lejárni'),
  pl:        row('Adres',          'Sieć',      'Numer vouchera',          'Pieniądze wysłano',      'Pozwól wygasnąć'),
  pt:        row('Endereço',       'Rede',      'Número do voucher',       'O dinheiro foi enviado', 'Deixar expirar'),
  ro:        row('Adresă',         'Rețea',     'Numărul voucherului',     'Banii au fost trimiși',  'Lasă să expire'),
  ja:        row('アドレス',       'ネットワーク', 'バウチャー番号',       '送金しました',           '期限切れにする'),
  nl:        row('Adres',          'Netwerk',   'Vouchernummer',           'Het geld is verzonden',  'Laten verlopen'),
  bg:        row('Адрес',          'Мрежа',     'Номер на ваучера',        'Парите са изпратени',    'Нека изтече'),
  ru:        row('Адрес',          'Сеть',      'Номер ваучера',           'Деньги отправлены',      'Дать истечь сроку'),
}
