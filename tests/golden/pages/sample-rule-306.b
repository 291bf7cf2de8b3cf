<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>306.b, a former number · Variorum</title>
<meta name="description" property="og:description" content="Formerly 306.b: If an effect puts a boat into the harbor sailing, that boat was never mustered. Abilities that wait for a muster don&#39;t trigger.">
<meta property="og:title" content="306.b, a former number">
<meta name="generator" content="Variorum">
<link rel="stylesheet" href="../../static/style.css">
<link rel="icon" href="../../static/icon.svg">
<link rel="apple-touch-icon" href="../../static/icon-180.png">
<link rel="alternate" type="application/json" href="../../data/rule/306.json">
<script src="../../static/script.js" defer></script>
</head>
<body>
<a class="skip" href="#_main">Skip to content</a>
<header class="top">
<a class="brand" href="../../index.html">Variorum</a>
<nav aria-label="Site"><ul>
<li><a href="../index.html">Rules</a></li>
<li><a href="../../glossary/index.html">Glossary</a></li>
<li><a href="../../editions/index.html">Editions</a></li>
<li><a href="../../changes/index.html">Changes</a></li>
<li><a href="../../compare/index.html">Compare</a></li>
</ul></nav>
<form class="find" role="search" action="../../search/index.html">
<label class="unseen" for="_q">Search the rules</label>
<input id="_q" name="q" placeholder="704.5k, deathtouch" autocomplete="off">
</form>
</header>
<main id="_main">
<nav class="crumbs" aria-label="Place"><ol>
<li><a href="../index.html">Rules</a></li>
</ol></nav>
<h1><span class="n">306.b</span></h1>
<p class="asof gone">No rule has this number today. These are the words that had it.</p>
<article class="gone" id="2008-06-20" aria-label="306.b, formerly">
<h2 id="_of-1" class="unseen">306.b</h2>
<div class="text" id="_text-1">
<p id="_gone-1">If an effect puts a boat into the harbor sailing, that boat was never mustered. Abilities that wait for a muster don't trigger.</p>

</div>
<p class="note">Printed as 306.b; by its place it should be 306.2b.</p>
<p class="facts-line">in force 20 June 2008 to 21 January 2010 · <a href="../506.2b/index.html">now 506.2b</a></p>

<p class="cite"><a class="perma" href="#2008-06-20">CR 306.b (2008-06-20)</a>
<button hidden>Copy text</button>
<button hidden>Copy citation</button>
<button hidden>Copy permalink</button></p>

<nav class="time" aria-label="Time" data-number="306.b"></nav>



</article>
</main>
<footer class="bottom">
<p>In force: <a href="../../2025-05-30/index.html"><time datetime="2025-05-30">30 May 2025</time></a>. Source: <a href="../../editions/index.html">all editions</a>.</p><nav aria-label="More"><ul>
<li><a href="../../about/index.html">About, feed and more</a></li></ul></nav>
<p>Variorum is unofficial Fan Content permitted under the Fan Content Policy. Not approved/endorsed by Wizards. Portions of the materials used are property of Wizards of the Coast. ©Wizards of the Coast LLC.</p>
</footer>
</body>
</html>
