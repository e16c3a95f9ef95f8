/** The key pair by which push services recognize this service (RFC 8292). */
import { createECDH, ECDH } from "node:crypto";
import type { PushKeys } from "../../delivery/send-push.ts";
import { deriveKey } from "../../lib/crypto.ts";

const CURVE = "prime256v1";
/** The order of the curve P-256: private keys are from 1 to this minus 1 (FIPS 186-5). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const KEY_BYTES = 32;

/** Derives the keys from the master key, so that every process and every restart has the same ones; browsers are bound to them. */
export function derivePushKeys(masterKey: Buffer): PushKeys {
  const number = (BigInt(`0x${deriveKey(masterKey, "push messages").toString("hex")}`) % (ORDER - 1n)) + 1n;
  const ecdh = createECDH(CURVE);
  const privateKey = Buffer.from(number.toString(16).padStart(KEY_BYTES * 2, "0"), "hex");
  ecdh.setPrivateKey(privateKey);
  return { publicKey: ecdh.getPublicKey("base64url"), privateKey: privateKey.toString("base64url") };
}

/** Returns whether this is a point on the curve: nothing can be encrypted for a browser with another key. */
export function isPublicKey(base64Url: string): boolean {
  try {
    ECDH.convertKey(base64Url, CURVE, "base64url", "hex", "uncompressed");
    return true;
  } catch {
    return false;
  }
}
