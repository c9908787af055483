import type { Command } from 'commander';

/** A subcommand's work, loaded when its command runs; it returns the exit code. */
export type Load<Args extends unknown[]> = () => Promise<(...args: Args) => Promise<number>>;

/** Declares a subcommand by its name and arguments. */
export type Add = (usage: string, description: string) => Command;

/** What commander calls for a command: does its work and hands on the exit code. */
export type Work = <Args extends unknown[]>(load: Load<Args>) => (...args: Args) => Promise<void>;

/** Commands that belong together, with all of their options. */
export type CommandGroup = (add: Add, work: Work) => void;
