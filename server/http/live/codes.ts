/** Standard WebSocket close codes: RFC 6455 (1008) and the IANA registry (1013). */
export const POLICY_VIOLATION = 1008;
export const TRY_AGAIN_LATER = 1013;
