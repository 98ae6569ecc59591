/** The addresses of both S2S protocols, and the actions of each. Chapter 10 §1, chapter 20 §1. */
import type { FastifyInstance } from 'fastify'
import { type FormAddresses, type FormService, formRoutes } from './kit/form-routes.ts'
import { apmAtCardAddress } from './s2s-apm/card-address.ts'
import { s2sApm } from './s2s-apm/index.ts'
import { s2sCard } from './s2s-card/index.ts'

const addresses: FormAddresses = {
  '/post': [s2sCard, apmAtCardAddress],
  '/v2/post': [s2sCard, apmAtCardAddress],
  '/post-va': [s2sApm],
}

export const s2s = (service: FormService) => async (app: FastifyInstance) => formRoutes(app, addresses, service)
