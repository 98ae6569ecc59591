<?php

/** Compares the library with every vector; prints one line per difference and the number of vectors that agree. */

declare(strict_types=1);

use Gatehouse\CallbackException;
use Gatehouse\Callbacks;
use Gatehouse\Formulas;
use Gatehouse\Payment;
use Gatehouse\RequestFormula;
use Gatehouse\RequestSignature;

require __DIR__ . '/autoload.php';

$vectors = json_decode(file_get_contents(__DIR__ . '/../../vectors.json'), true, 512, JSON_THROW_ON_ERROR);
$protocols = ['S2S_CARD' => 'card', 'S2S_APM' => 'apm', 'CHECKOUT' => 'checkout'];
$agreed = 0;
$differences = [];

foreach ($vectors['requests'] as $vector) {
    $known = $vector['known'];
    if (isset($vector['path'])) {
        // A formula that the service accepts too and that the library does not choose.
        if (str_contains($vector['title'], 'also accepted')) {
            continue;
        }
        $sent = $vector['parameters'];
        $action = $sent['action'] ?? $vector['path'];
        unset($sent['action']);
        $payment = new Payment($known['email'] ?? null, $known['pan10'] ?? null);
        $hash = (new RequestFormula($vector['password'], $vector['digest']))->hash($protocols[$vector['protocol']], $action, $sent, $payment);
    } else {
        $sent = [...$vector['parameters'], 'hash' => strtoupper($vector['hash'])];
        $callbacks = new Callbacks(['an earlier one', $vector['password']]);
        $order = [$sent['order_id'], $known['order_amount'] ?? '', $known['order_currency']];
        $hash = $callbacks->verifyReturn($sent, ...$order) === $known['outcome'] ? $vector['hash'] : '';
        foreach ([[$order[0], '1.00', $order[2]], [$order[0], $order[1], 'USD'], ['ORDER-1', $order[1], $order[2]]] as $wrong) {
            try {
                $callbacks->verifyReturn($sent, ...$wrong);
                $hash = '';
            } catch (CallbackException) {
            }
        }
    }
    $hash === $vector['hash'] ? $agreed++ : $differences[] = $vector['title'];
}

foreach ($vectors['signed_requests'] as $vector) {
    $parts = [$vector['token'], $vector['idempotency_key'], $vector['body']];
    $headers = (new RequestSignature($vector['password']))->headers("$vector[method] $vector[path]", $parts, $vector['id'], $vector['timestamp']);
    $headers === $vector['headers'] ? $agreed++ : $differences[] = $vector['title'];
}

foreach ($vectors['callbacks'] as $vector) {
    ['passwords' => $passwords, 'secrets' => $secrets, 'digest' => $digest] = $vector['receiver'];
    $known = $vector['known'];
    $payment = new Payment($known['email'] ?? $known['payer_email'] ?? null, $known['pan10'] ?? null);
    $verdicts = (new Callbacks($passwords, $secrets, $digest))->check($vector['headers'], $vector['body'], $payment, $vector['now']);
    $verdicts === $vector['expected'] ? $agreed++ : $differences[] = $vector['title'];
}

echo json_encode(['agreed' => $agreed, 'differences' => $differences], JSON_UNESCAPED_UNICODE), "\n";
