#!/usr/bin/env node
import { runCli } from './cli.ts';
import { finish, guardProcess } from './process.ts';

const args = process.argv.slice(2);
guardProcess(args.includes('--debug'));
finish(await runCli(args));
