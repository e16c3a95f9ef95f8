/**
 * Request header with the id of the account that a browser page acts for. A session cookie belongs to the whole browser, so another tab may have
 * switched accounts: if the cookie and the header name different accounts, the service does nothing and returns 412. The header is optional; a token
 * already identifies its account.
 */
export const ACCOUNT_HEADER = "talkback-account";
