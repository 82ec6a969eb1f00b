/**
 * A stand-in for the few calls of `jsr:@std/log` that examples and tests make, for machines that cannot reach JSR.
 *
 * It follows @std/log 0.224: an unknown logger name has no handler and is silent; a message may be a function, called
 * only when its level is on.
 *
 * @module
 */

export const LogLevels = {
  NOTSET: 0,
  DEBUG: 10,
  INFO: 20,
  WARN: 30,
  ERROR: 40,
  CRITICAL: 50,
} as const;
export type LevelName = keyof typeof LogLevels;
export type LogLevel = (typeof LogLevels)[LevelName];

export interface LogRecord {
  readonly msg: string;
  readonly args: unknown[];
  readonly datetime: Date;
  readonly level: number;
  readonly levelName: LevelName;
  readonly loggerName: string;
}

export type FormatterFunction = (record: LogRecord) => string;

export interface ConsoleHandlerOptions {
  formatter?: FormatterFunction;
  useColors?: boolean;
}

function levelNumber(name: LevelName): number {
  return LogLevels[name];
}

export class ConsoleHandler {
  readonly level: number;
  readonly #format: FormatterFunction;

  constructor(levelName: LevelName, options: ConsoleHandlerOptions = {}) {
    this.level = levelNumber(levelName);
    this.#format = options.formatter ?? ((record) => `${record.levelName} ${record.msg}`);
  }

  handle(record: LogRecord): void {
    if (record.level >= this.level) console.log(this.#format(record));
  }
}

export interface LoggerConfig {
  level?: LevelName;
  handlers?: string[];
}

export interface LogConfig {
  handlers?: Record<string, ConsoleHandler>;
  loggers?: Record<string, LoggerConfig>;
}

export class Logger {
  readonly loggerName: string;
  readonly #level: number;
  readonly #handlers: readonly ConsoleHandler[];

  constructor(loggerName: string, levelName: LevelName, handlers: readonly ConsoleHandler[] = []) {
    this.loggerName = loggerName;
    this.#level = levelNumber(levelName);
    this.#handlers = handlers;
  }

  #log<T>(levelName: LevelName, msg: T | (() => T), args: unknown[]): T | undefined {
    const level = levelNumber(levelName);
    const value = () => (typeof msg === "function" ? (msg as () => T)() : msg);
    if (level < this.#level) return typeof msg === "function" ? undefined : msg;
    const result = value();
    const record = {
      msg: typeof result === "string" ? result : String(result),
      args,
      datetime: new Date(),
      level,
      levelName,
      loggerName: this.loggerName,
    };
    for (const handler of this.#handlers) handler.handle(record);
    return result;
  }

  debug<T>(msg: T | (() => T), ...args: unknown[]): T | undefined {
    return this.#log("DEBUG", msg, args);
  }
  info<T>(msg: T | (() => T), ...args: unknown[]): T | undefined {
    return this.#log("INFO", msg, args);
  }
  warn<T>(msg: T | (() => T), ...args: unknown[]): T | undefined {
    return this.#log("WARN", msg, args);
  }
  error<T>(msg: T | (() => T), ...args: unknown[]): T | undefined {
    return this.#log("ERROR", msg, args);
  }
  critical<T>(msg: T | (() => T), ...args: unknown[]): T | undefined {
    return this.#log("CRITICAL", msg, args);
  }
}

const loggers = new Map<string, Logger>([
  ["default", new Logger("default", "INFO", [new ConsoleHandler("INFO")])],
]);

export function setup(config: LogConfig): void {
  loggers.clear();
  for (const [name, logger] of Object.entries(config.loggers ?? {})) {
    const handlers = (logger.handlers ?? []).flatMap((id) => config.handlers?.[id] ?? []);
    loggers.set(name, new Logger(name, logger.level ?? "INFO", handlers));
  }
}

export function getLogger(name: string = "default"): Logger {
  return loggers.get(name) ?? new Logger(name, "NOTSET");
}
