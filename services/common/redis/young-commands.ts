// Lets V8's collections of young objects free the commands of ioredis. V8 allocates a function as old when it is
// assigned to a property right where it is written, such as `this.reject = (error) => ...` in ioredis, and objects that
// an old object refers to stay until the old objects are collected, too. So each command outlived its reply, with its
// arguments and its value, and each collection copied a megabyte instead of some kilobytes.
import { createRequire } from "node:module";
import { dirname } from "node:path";

/** The members of ioredis' command that matter here. */
interface PromisedCommand {
  readonly name: string;
  readonly callback: unknown;
  readonly errorStack?: { readonly stack: string };
  args: unknown[];
  transformed: boolean;
  isResolved: boolean;
  isSettled: boolean;
  promise: Promise<unknown>;
  resolve: Settle;
  reject: (error: Error) => void;
  stringifyArguments(): void;
  _clearTimers(): void;
  _convertValue(resolve: Settle): Settle;
}

type Settle = (value: unknown) => unknown;

interface CommandClass {
  readonly prototype: { initPromise(this: PromisedCommand): void };
  readonly _transformer: { readonly argument: Readonly<Record<string, (args: unknown[]) => unknown[]>> };
}

type AsCallback = (promise: Promise<unknown>, callback: unknown) => Promise<unknown>;

interface Utils {
  optimizeErrorStack(error: Error, stack: string, directory: string): Error;
}

const ioredis = createRequire(import.meta.url).resolve("ioredis");
const load = createRequire(ioredis);
const { default: commands }: { readonly default: CommandClass } = load("./Command.js");
const { optimizeErrorStack }: Utils = load("./utils/index.js");
const { default: asCallback }: { readonly default: AsCallback } = load("standard-as-callback");

/** Takes effect for the whole process, for commands that are created afterwards. */
export function useYoungCommands(): void {
  commands.prototype.initPromise = initPromise;
}

/** The code is that of ioredis, except for the variable that holds the function before the property does. */
function initPromise(this: PromisedCommand): void {
  this.isResolved = false;
  this.isSettled = false;
  const promise = new Promise<unknown>((resolve, reject) => {
    if (!this.transformed) {
      this.transformed = true;
      const transform = commands._transformer.argument[this.name];
      if (transform !== undefined) this.args = transform(this.args);
      this.stringifyArguments();
    }
    this.resolve = this._convertValue(resolve);
    const rejectAndClear = (error: Error) => {
      this._clearTimers();
      this.isSettled = true;
      reject(
        this.errorStack === undefined ? error : optimizeErrorStack(error, this.errorStack.stack, dirname(ioredis)),
      );
    };
    this.reject = rejectAndClear;
  });
  this.promise = asCallback(promise, this.callback);
}
