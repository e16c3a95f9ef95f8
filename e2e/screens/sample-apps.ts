/** Registers apps that ask for consent, and connects some of them. */
import { createHash } from "node:crypto";
import { confirmConsent, issueToken, registerClient } from "../../contract/operations/oauth.ts";
import { getSession } from "../../contract/operations/session.ts";
import { SCOPES } from "../../contract/define-operation.ts";
import type { Person } from "../fixtures/api.ts";
import type { SampleApps } from "./shot.ts";

const VERIFIER = "sample-verifier-of-43-characters-or-more-0123456789";
const LONG_NAME = "Northern Lights media bridge for archives, stems and takes (community edition)";

async function post(url: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(url, { method: "POST", redirect: "manual", headers, body });
  if (response.status >= 400) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response;
}

/** Registers an app and returns the parameters of its authorization request. */
async function register(url: string, name: string, redirectUri: string, scopes: readonly string[]): Promise<URLSearchParams> {
  const body = JSON.stringify({ client_name: name, redirect_uris: [redirectUri], grant_types: ["authorization_code", "refresh_token"] });
  const { client_id } = (await (await post(url + registerClient.path, body, { "content-type": "application/json" })).json()) as { client_id: string };
  return new URLSearchParams({
    client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: scopes.join(" "),
    code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    code_challenge_method: "S256",
  });
}

/** Connects the app to the person's account and returns its access token. */
async function connect({ url, cookie }: Person, parameters: URLSearchParams): Promise<string> {
  const answer = await post(url + confirmConsent.path, new URLSearchParams([...parameters, ["decision", "allow"]]), { cookie, origin: url });
  const exchange = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: parameters.get("client_id") ?? "",
    redirect_uri: parameters.get("redirect_uri") ?? "",
    code: new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "",
    code_verifier: VERIFIER,
  });
  return ((await (await post(url + issueToken.path, exchange)).json()) as { access_token: string }).access_token;
}

export async function createSampleApps(ana: Person): Promise<SampleApps> {
  const several = await register(ana.url, "Studio Sync", "https://app.studiosync.example/oauth/callback", ["account:read", "chat:read", "files:read"]);
  const writing = await register(ana.url, "Release assistant", "https://assistant.label.example/connect", ["chat:read", "chat:write", "files:write"]);
  const local = await register(ana.url, "Session exporter", "http://localhost:53682/callback", ["files:read"]);
  const everything = await register(ana.url, LONG_NAME, "http://127.0.0.1:53682/callback", SCOPES);
  await connect(ana, await register(ana.url, "Mix notifier", "https://mixnotifier.example/callback", ["chat:read", "chat:write"]));
  const accessToken = await connect(ana, several);
  await fetch(ana.url + getSession.path, { headers: { authorization: `Bearer ${accessToken}` } });
  await connect(ana, everything);
  const pathOf = (parameters: URLSearchParams) => `/authorize?${parameters.toString()}`;
  /** Returns the path of a request that differs in one parameter, or lacks it. */
  const pathWith = (name: string, value: string | null) => {
    const parameters = new URLSearchParams(several);
    if (value === null) parameters.delete(name);
    else parameters.set(name, value);
    return pathOf(parameters);
  };
  return {
    several: pathOf(several),
    writing: pathOf(writing),
    local: pathOf(local),
    everything: pathOf(everything),
    withoutChallenge: pathWith("code_challenge", null),
    foreignRedirect: pathWith("redirect_uri", "https://app.studiosync.example.net/"),
    unknownApp: pathWith("client_id", "tb_client_that_nobody_registered"),
    accessToken,
  };
}
