/** What payers read of the methods that ship with the service, in every language of the page. Payouts and debits have no page. */
import { type LanguageCode, languages } from '../place/language.ts'

type Titles = Readonly<Record<string, string>>

const brandColumns = [
  'vcard',
  'walletapay',
  'walletbpay',
  'bank-redirect',
  'upi-like',
  'voucher-cash',
  'crypto-pay',
] as const

// biome-ignore format: a table is read in columns.
const brandRows: Readonly<Record<LanguageCode, readonly string[]>> = {
  //         virtual card            wallet A                    wallet B                    bank transfer            payment address                   cash                        crypto
  'en':    ['Virtual card',         'Device wallet A',          'Device wallet B',          'Bank transfer',         'Virtual payment address',        'Cash at a counter',        'Crypto currency'],
  'sp':    ['Tarjeta virtual',      'Monedero del móvil A',     'Monedero del móvil B',     'Transferencia bancaria', 'Dirección de pago virtual',     'Efectivo en ventanilla',   'Criptomoneda'],
  'ar':    ['بطاقة افتراضية',        'محفظة الجهاز A',            'محفظة الجهاز B',            'تحويل بنكي',             'عنوان دفع افتراضي',               'نقدًا في نقطة دفع',          'عملة مشفرة'],
  'az':    ['Virtual kart',         'Cihaz pulqabısı A',        'Cihaz pulqabısı B',        'Bank köçürməsi',        'Virtual ödəniş ünvanı',          'Kassada nağd',             'Kriptovalyuta'],
  'fr':    ['Carte virtuelle',      'Portefeuille mobile A',    'Portefeuille mobile B',    'Virement bancaire',     'Adresse de paiement virtuelle',  'Espèces au guichet',       'Cryptomonnaie'],
  'nb':    ['Virtuelt kort',        'Enhetslommebok A',         'Enhetslommebok B',         'Bankoverføring',        'Virtuell betalingsadresse',      'Kontant i luke',           'Kryptovaluta'],
  'zh':    ['虚拟卡',                '设备钱包 A',                '设备钱包 B',                '银行转账',               '虚拟支付地址',                     '柜台现金支付',               '加密货币'],
  'zh-TW': ['虛擬卡',                '裝置錢包 A',                '裝置錢包 B',                '銀行轉帳',               '虛擬付款地址',                     '臨櫃現金付款',               '加密貨幣'],
  'kk':    ['Виртуалды карта',      'Құрылғы әмияны A',         'Құрылғы әмияны B',         'Банк аударымы',         'Виртуалды төлем мекенжайы',      'Кассада қолма-қол',        'Криптовалюта'],
  'de':    ['Virtuelle Karte',      'Geräte-Wallet A',          'Geräte-Wallet B',          'Banküberweisung',       'Virtuelle Zahlungsadresse',      'Bar am Schalter',          'Kryptowährung'],
  'it':    ['Carta virtuale',       'Portafoglio del telefono A', 'Portafoglio del telefono B', 'Bonifico bancario', 'Indirizzo di pagamento virtuale', 'Contanti allo sportello', 'Criptovaluta'],
  'hr':    ['Virtualna kartica',    'Novčanik uređaja A',       'Novčanik uređaja B',       'Bankovni prijenos',     'Virtualna adresa za plaćanje',   'Gotovina na šalteru',      'Kriptovaluta'],
  'cs':    ['Virtuální karta',      'Peněženka v zařízení A',   'Peněženka v zařízení B',   'Bankovní převod',       'Virtuální platební adresa',      'Hotově na přepážce',       'Kryptoměna'],
  'hu':    ['Virtuális kártya',     'Eszköztárca A',            'Eszköztárca B',            'Banki átutalás',        'Virtuális fizetési cím',         'Készpénz a pénztárnál',    'Kriptovaluta'],
  'pl':    ['Karta wirtualna',      'Portfel urządzenia A',     'Portfel urządzenia B',     'Przelew bankowy',       'Wirtualny adres płatności',      'Gotówka w okienku',        'Kryptowaluta'],
  'pt':    ['Cartão virtual',       'Carteira do dispositivo A', 'Carteira do dispositivo B', 'Transferência bancária', 'Endereço de pagamento virtual', 'Dinheiro ao balcão',      'Criptomoeda'],
  'ro':    ['Card virtual',         'Portofelul telefonului A', 'Portofelul telefonului B', 'Transfer bancar',       'Adresă virtuală de plată',       'Numerar la ghișeu',        'Criptomonedă'],
  'ja':    ['バーチャルカード',        'デバイスウォレット A',        'デバイスウォレット B',        '銀行振込',               '仮想支払いアドレス',                '窓口での現金払い',            '暗号資産'],
  'nl':    ['Virtuele kaart',       'Toestelportemonnee A',     'Toestelportemonnee B',     'Bankoverschrijving',    'Virtueel betaaladres',           'Contant aan het loket',    'Cryptovaluta'],
  'bg':    ['Виртуална карта',      'Портфейл в устройството A', 'Портфейл в устройството B', 'Банков превод',        'Виртуален платежен адрес',       'В брой на гише',           'Криптовалута'],
  'ru':    ['Виртуальная карта',    'Кошелёк устройства A',     'Кошелёк устройства B',     'Банковский перевод',    'Виртуальный платёжный адрес',    'Наличными в кассе',        'Криптовалюта'],
}

const rowColumns = ['bank_code', 'virtual_address', 'document_number', 'store_chain', 'payment_currency'] as const

// biome-ignore format: a table is read in columns.
const rowRows: Readonly<Record<LanguageCode, readonly string[]>> = {
  //         bank             payment address                   document number              chain of shops             currency to pay in
  'en':    ['Bank',          'Payment address',                'Document number',           'Shop chain',              'Pay in'],
  'sp':    ['Banco',         'Dirección de pago',              'Número de documento',       'Cadena de tiendas',       'Pagar en'],
  'ar':    ['البنك',          'عنوان الدفع',                     'رقم الوثيقة',                'سلسلة المتاجر',             'الدفع بعملة'],
  'az':    ['Bank',          'Ödəniş ünvanı',                  'Sənədin nömrəsi',           'Mağazalar şəbəkəsi',      'Ödəniş valyutası'],
  'fr':    ['Banque',        'Adresse de paiement',            'Numéro de document',        'Chaîne de magasins',      'Payer en'],
  'nb':    ['Bank',          'Betalingsadresse',               'Dokumentnummer',            'Butikkjede',              'Betal i'],
  'zh':    ['银行',           '支付地址',                         '证件号码',                    '连锁商店',                  '支付币种'],
  'zh-TW': ['銀行',           '付款地址',                         '證件號碼',                    '連鎖商店',                  '付款幣別'],
  'kk':    ['Банк',          'Төлем мекенжайы',                'Құжат нөмірі',              'Дүкендер желісі',         'Төлем валютасы'],
  'de':    ['Bank',          'Zahlungsadresse',                'Dokumentnummer',            'Ladenkette',              'Zahlen in'],
  'it':    ['Banca',         'Indirizzo di pagamento',         'Numero del documento',      'Catena di negozi',        'Paga in'],
  'hr':    ['Banka',         'Adresa za plaćanje',             'Broj dokumenta',            'Lanac trgovina',          'Plati u'],
  'cs':    ['Banka',         'Platební adresa',                'Číslo dokladu',             'Řetězec obchodů',         'Zaplatit v'],
  'hu':    ['Bank',          'Fizetési cím',                   'Okmányszám',                'Üzletlánc',               'Fizetés pénzneme'],
  'pl':    ['Bank',          'Adres płatności',                'Numer dokumentu',           'Sieć sklepów',            'Zapłać w'],
  'pt':    ['Banco',         'Endereço de pagamento',          'Número do documento',       'Cadeia de lojas',         'Pagar em'],
  'ro':    ['Bancă',         'Adresă de plată',                'Numărul documentului',      'Lanț de magazine',        'Plătiți în'],
  'ja':    ['銀行',           '支払いアドレス',                     '証明書番号',                  'チェーン店',                '支払い通貨'],
  'nl':    ['Bank',          'Betaaladres',                    'Documentnummer',            'Winkelketen',             'Betalen in'],
  'bg':    ['Банка',         'Платежен адрес',                 'Номер на документ',         'Верига магазини',         'Плащане в'],
  'ru':    ['Банк',          'Платёжный адрес',                'Номер документа',           'Сеть магазинов',          'Валюта оплаты'],
}

export const brandTitles: ReadonlyMap<string, Titles> = byColumn(brandColumns, brandRows)
export const parameterTitles: ReadonlyMap<string, Titles> = byColumn(rowColumns, rowRows)

function byColumn(
  columns: readonly string[],
  rows: Readonly<Record<LanguageCode, readonly string[]>>,
): ReadonlyMap<string, Titles> {
  return new Map(
    columns.map((column, index) => [
      column,
      Object.fromEntries(languages.map(({ code }) => [code, rows[code][index] ?? ''])),
    ]),
  )
}
