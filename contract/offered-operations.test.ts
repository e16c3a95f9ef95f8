import { expect, test } from "vitest";
import { FEATURES, type Feature, type Operation } from "./define-operation.ts";
import { featureOf, featureOfRule, hasDocumentedPath, isOffered, needsSession } from "./offered-operations.ts";
import { operations } from "./operations/all.ts";

const all = Object.entries<Operation>(operations);
const without = (missing: Feature) => FEATURES.filter((feature) => feature !== missing);

test("each feature has operations of its own, which a service without it lacks, except the documented ones", () => {
  for (const feature of FEATURES) {
    const lacking = all.filter(([, operation]) => !isOffered(operation, without(feature))).map(([name]) => name);
    const own = all.filter(([, operation]) => featureOf(operation) === feature && !hasDocumentedPath(operation)).map(([name]) => name);
    expect(lacking.length, feature).toBeGreaterThan(0);
    expect(lacking).toEqual(own);
  }
  expect(all.filter(([, operation]) => !isOffered(operation, FEATURES))).toEqual([]);
});

test("a rule that belongs to a feature allows nothing of another one", () => {
  const contradictions = all.flatMap(([name, operation]) =>
    [operation.rule, ...(operation.furtherRules ?? [])].flatMap((rule) => {
      const ruleFeature = featureOfRule(rule);
      return ruleFeature === null || ruleFeature === featureOf(operation) ? [] : [`${name}: ${rule}`];
    }),
  );
  expect(contradictions).toEqual([]);
});

test("a feature needs a session if no token can use any operation of it", () => {
  for (const feature of FEATURES) {
    const scopes = new Set(all.filter(([, operation]) => featureOf(operation) === feature).map(([, { scope }]) => scope));
    // Apps call the operations without a sign-in, not the account's pages.
    scopes.delete(null);
    expect(scopes.size === 1 && scopes.has("session"), feature).toBe(needsSession(feature));
  }
});

test("the operations on messages, search, folders, uploads and statuses can be missing on their own", () => {
  const { editMessage, addReaction, sendMessage, searchMessages, listFiles, createFolder, renameFile, createUpload, setFileStatus, correctTags } = operations;
  const features = [editMessage, addReaction, sendMessage, searchMessages, listFiles, createFolder, renameFile, createUpload, setFileStatus, correctTags];
  expect(features.map((operation) => featureOf(operation))).toEqual([
    "messages",
    "messages",
    "chat",
    "chat-search",
    "files-view",
    "files-view",
    "files",
    "uploads",
    "statuses",
    "processing",
  ]);
});
