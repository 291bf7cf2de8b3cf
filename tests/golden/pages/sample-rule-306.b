<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>306.b · Variorum</title>
<meta name="description" property="og:description" content="Formerly 306.b: If an effect puts a boat into the harbor sailing, that boat was never mustered. Abilities that wait for a muster don&#39;t trigger.">
<meta property="og:site_name" content="Variorum">
<meta property="og:type" content="article">
<meta property="og:title" content="306.b">
<meta name="generator" content="Variorum">
<link rel="stylesheet" href="../../static/style.css">
<link rel="icon" href="../../static/icon.svg">
<link rel="apple-touch-icon" href="../../static/icon-180.png">
<link rel="alternate" type="application/json" href="../../data/rule/306.b.json">
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
<p class="asof gone">No rule has this number today. It was last printed in <a href="../../2008-06-20/3/index.html#306.b">2008-06-20</a>.</p>
<nav class="time" aria-label="Time" data-number="306.b"><ul>
<li><a href="#_former">Earlier uses of this number</a></li>
</ul></nav>
<section aria-labelledby="_former">
<h2 id="_former">Rules that have had this number</h2>
<ul class="former">
<li><span class="run"><a href="../../2008-06-20/3/index.html#306.b">2008-06-20</a> – <a href="../../2008-06-20/3/index.html#306.b">2010-01-21</a></span>: “If an effect puts a boat into the harbor sailing, that boat was never mustered. Abilities …” is now <b><a href="../506.2b/index.html">506.2b</a></b><blockquote><b>506.2b</b> today: If an effect puts a boat into the bay sailing, that boat was never mustered. Abilities that wait for a muster don’t trigger.</blockquote></li>
</ul>
</section>
</main>
<footer class="bottom">
<p>Source: <a href="../../editions/index.html">all editions</a>, up to the one in force.</p><nav aria-label="More"><ul>
<li><a href="../../about/index.html">About, feed and more</a></li></ul></nav>
<p>Variorum is unofficial Fan Content permitted under the Fan Content Policy. Not approved/endorsed by Wizards. Portions of the materials used are property of Wizards of the Coast. ©Wizards of the Coast LLC.</p>
</footer>
</body>
</html>
