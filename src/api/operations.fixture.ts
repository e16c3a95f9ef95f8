/** Responds to operations in tests in place of a service. */
import type { Operation } from "../../contract/define-operation.ts";
import type { Api, CallInput, CallOptions } from "./http.ts";

type OperationStub = readonly [Operation, (input: never, options: CallOptions) => Promise<unknown>];

/** Pairs an operation with the function that returns its response. */
export const stubOperation = <O extends Operation>(operation: O, respond: (input: CallInput<O>, options: CallOptions) => Promise<unknown>) =>
  [operation, respond] as OperationStub;

/** Lets these stubs respond instead of the service; every other operation rejects. */
export function stubOperations(api: Api, stubs: readonly OperationStub[]): void {
  const call = async (operation: Operation, input: unknown, options: CallOptions = {}) => {
    const respond = new Map(stubs).get(operation);
    if (!respond) throw new Error(`The test has no stub for ${operation.method} ${operation.path}`);
    return respond(input as never, options);
  };
  const data = async (...args: Parameters<typeof call>) => ((await call(...args)) as { data: unknown }).data;
  Object.assign(api, { call, data });
}
