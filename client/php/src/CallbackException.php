<?php

declare(strict_types=1);

namespace Gatehouse;

/** A callback that must not be trusted. Answer it with 400. */
final class CallbackException extends \RuntimeException
{
}
