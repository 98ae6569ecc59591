<?php

/** Prints the median milliseconds of a verification by each scheme. */

declare(strict_types=1);

use Gatehouse\Callbacks;
use Gatehouse\Payment;

require __DIR__ . '/autoload.php';

$vectors = json_decode(file_get_contents(__DIR__ . '/../../vectors.json'), true, 512, JSON_THROW_ON_ERROR);
['headers' => $headers, 'body' => $body, 'known' => $known, 'receiver' => $receiver] = $vectors['callbacks'][0];
$payment = new Payment($known['email'], $known['pan10']);

// Signed anew, because the signature of the vector is old.
$secret = base64_decode(substr($receiver['secrets'][0], strlen('whsec_')));
$timestamp = (string) time();
$mac = hash_hmac('sha256', "{$headers['webhook-id']}.$timestamp.$body", $secret, true);
$headers = [...$headers, 'webhook-timestamp' => $timestamp, 'webhook-signature' => 'v1,' . base64_encode($mac)];

$median = static function (array $secrets) use ($headers, $body, $payment, $receiver): float {
    $callbacks = new Callbacks($receiver['passwords'], $secrets, $receiver['digest']);
    $times = [];
    for ($round = 0; $round < 5000; $round++) {
        $begun = hrtime(true);
        $callbacks->verify($headers, $body, $payment);
        $times[] = hrtime(true) - $begun;
    }
    sort($times);
    return $times[2500] / 1e6;
};

echo json_encode(['signature' => $median($receiver['secrets']), 'hash' => $median([])]), "\n";
