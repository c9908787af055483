// Makes a checkout ready to run: `node tools/bootstrap.mjs` installs what is missing, `--build` also builds what is out of date.
// Imports nothing before the version check, so that an old Node gets the message below and not a syntax error.
const wanted = 20;
const major = Number(process.versions.node.split('.')[0]);

if (major < wanted) {
  process.stderr.write(
    `griddep needs Node.js ${wanted} or newer; this is ${process.versions.node} (${process.execPath}).\n`,
  );
  process.exitCode = 1;
} else {
  import('./prepare.mjs')
    .then((prepare) => prepare.prepare({ build: process.argv.includes('--build') }))
    .then((status) => {
      process.exitCode = status;
    });
}
