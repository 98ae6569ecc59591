<?php

/** A merchant's day on a sandbox: reads settings and received callbacks from standard input, prints one JSON object. */

declare(strict_types=1);

use Gatehouse\CallbackException;
use Gatehouse\Gatehouse;
use Gatehouse\Payment;
use Gatehouse\RefusedException;

require __DIR__ . '/autoload.php';

$input = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
$gatehouse = new Gatehouse($input['url'], $input['key'], $input['password'], webhookSecrets: $input['secrets']);

if (isset($input['payment'])) {
    $read = [];
    foreach ($gatehouse->events->since() as $cursor => $callback) {
        if (($callback->fields['trans_id'] ?? null) === $input['payment']) {
            $read[] = $callback;
        }
    }
    $inOrder = $gatehouse->events->withMissing($read[1], 0);
    ['events' => $last, 'cursor' => $end] = $gatehouse->events->last(1);
    $readings = array_map(fn ($callback) => "$callback->sequence {$callback->fields['action']}", $inOrder);
    $readings[] = $last[0]->id === $callback->id && $end === $cursor ? 'last' : 'another';
    echo json_encode($readings), "\n";
    exit(0);
}

if (isset($input['callbacks'])) {
    $verified = [];
    foreach ($input['callbacks'] as ['headers' => $headers, 'body' => $body]) {
        try {
            $verified[] = $gatehouse->callbacks->verify($headers, $body)->fields['action'];
        } catch (CallbackException) {
            $verified[] = 'refused';
        }
    }
    echo json_encode($verified), "\n";
    exit(0);
}

$email = 'doe@example.com';
$number = '4111111111111111';
$payment = new Payment($email, $number);
$orders = 0;
$order = static function () use (&$orders): array {
    $orders++;
    return ['order_id' => "PHP-$orders", 'order_amount' => '10.00', 'order_currency' => 'EUR', 'order_description' => 'Shoes'];
};
$sale = static fn (array $over = []): array => $gatehouse->card('SALE', [
    ...$order(),
    'card_number' => $number, 'card_exp_month' => '01', 'card_exp_year' => '2038', 'card_cvv2' => '000',
    'payer_first_name' => 'John', 'payer_last_name' => 'Doe', 'payer_email' => $email, 'payer_phone' => '199999999',
    'payer_ip' => '203.0.113.7', 'term_url_3ds' => 'https://shop.example.com/return',
    ...$over,
]);
$status = static fn (string $id): string => $gatehouse->card('GET_TRANS_STATUS', ['trans_id' => $id], $payment)['status'];
$story = [];

$paid = $sale(['custom_data' => ['basket' => ['one', 'two']]]);
$story[] = "sale $paid[result] {$status($paid['trans_id'])}";
$refund = $gatehouse->card('CREDITVOID', ['trans_id' => $paid['trans_id'], 'amount' => '4.00'], $payment);
$story[] = "refund $refund[result]";

$sent = $sale(['card_exp_month' => '05']);
$story[] = "3ds $sent[result]";
// The payer approves at the issuer.
$handle = curl_init($input['url'] . parse_url($sent['redirect_params']['TermUrl'], PHP_URL_PATH));
curl_setopt_array($handle, [CURLOPT_POSTFIELDS => 'PaRes=approve', CURLOPT_RETURNTRANSFER => true]);
curl_exec($handle);
$story[] = "3ds then {$status($sent['trans_id'])}";

$held = $sale(['auth' => 'Y']);
$captured = $gatehouse->card('CAPTURE', ['trans_id' => $held['trans_id'], 'amount' => '5.00'], $payment);
$story[] = "capture $held[status] $captured[status]";

$first = $sale(['recurring_init' => 'Y']);
$charge = $gatehouse->card('RECURRING_SALE', [
    'order_id' => 'PHP-R', 'order_amount' => '8.00', 'order_description' => 'Month 2',
    'recurring_init_trans_id' => $first['trans_id'], 'recurring_token' => $first['recurring_token'],
], $payment);
$story[] = "recurring $charge[result]";

$apm = $gatehouse->apm('SALE', [...$order(), 'brand' => 'vcard', 'identifier' => 'success@example.com', 'payer_ip' => '203.0.113.7', 'return_url' => 'https://shop.example.com/return']);
$story[] = "apm $apm[result] " . $gatehouse->apm('GET_TRANS_STATUS', ['trans_id' => $apm['trans_id']])['status'];

$session = $gatehouse->checkout('session', [
    'operation' => 'purchase', 'success_url' => 'https://shop.example.com/paid',
    'order' => ['number' => 'PHP-C', 'amount' => '10.00', 'currency' => 'EUR', 'description' => 'Café'],
]);
$story[] = 'checkout ' . (isset($session['redirect_url']) ? 'page' : 'no page');

try {
    $sale(['payer_email' => 'nobody']);
} catch (RefusedException $refusal) {
    $story[] = "refused $refusal->http {$refusal->violations[0]['message']}";
}
echo json_encode(['story' => $story, 'paid' => $paid['trans_id']], JSON_UNESCAPED_UNICODE), "\n";
