/** The gateway's connections of payments plan every statement once; so do those of the floor, by start-up options of PostgreSQL. */
export const sessionSettings = '-c plan_cache_mode=force_generic_plan'
