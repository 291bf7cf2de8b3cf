// Starts what the script does on each page. Pages can also be read without it.
startCopying();
startSearch();
startKeys();
startTimeBar();
startMissing();
startOffline();
if (document.getElementById("compare")) load("static/diff.js").then(() => load("static/compare.js"));
