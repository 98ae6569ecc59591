<?php

declare(strict_types=1);

namespace Gatehouse;

/** The service was busy at every attempt. Nothing was processed. */
final class BusyException extends \RuntimeException
{
}
