/** WebSocket close codes that are not ours: RFC 6455 (1008) and IANA's registry (1013). */
export const POLICY_VIOLATION = 1008;
export const TRY_AGAIN_LATER = 1013;
