/**
 * Carries the id of the account that a browser's page acts for. A session cookie belongs to the whole browser, so another tab may
 * have changed it: where cookie and header name different accounts nothing is done and the answer is 412. Optional; a token speaks for itself.
 */
export const ACCOUNT_HEADER = "talkback-account";
